import type { Actor } from '../audit/service';
import type { Role } from './schema';
import type { KeyRestrictions } from './scope';

/** The API key of a request, and what it may do. */
export interface KeyPrincipal extends KeyRestrictions {
  id: number;
  name: string;
}

/** A signed-in user. */
export interface UserPrincipal {
  userId: number;
  email: string;
  name: string;
  role: Role;
  /** The language that was chosen for the user; null if none was. */
  locale: string | null;
  /** The IANA name of the zone in which pages show times. */
  timeZone: string;
  sessionId: string;
  /** Whether the user must set up a second factor before doing anything else. */
  mustSetUpTwoFactor: boolean;
  /** Whether the user signed in, or confirmed their identity again, within the last ten minutes. */
  confirmed: boolean;
}

/** A signed-in user who acts, with the role that determines whom they may manage. */
export interface SignedInActor extends Actor {
  id: number;
  role: Role;
  sessionId: string;
}

/** The user of a bearer token. */
export interface BearerPrincipal {
  id: number;
  name: string;
  email: string;
  role: Role;
  locale: string;
  createdAt: Date;
  updatedAt: Date;
}
