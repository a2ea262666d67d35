import type { Role } from './schema';
import type { KeyBounds } from './scope';

/** The API key of a request, and what it may do. */
export interface KeyPrincipal extends KeyBounds {
  id: number;
  name: string;
}

/** A signed-in user. */
export interface UserPrincipal {
  userId: number;
  email: string;
  name: string;
  role: Role;
  locale: string;
  /** The IANA name of the zone in which pages show times. */
  timeZone: string;
  sessionId: string;
  /** This user must have a second factor and has not set one up: until then nothing else is allowed. */
  mustSetUpTwoFactor: boolean;
  /** The user signed in or confirmed with the password (and code) within the last ten minutes. */
  confirmed: boolean;
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
