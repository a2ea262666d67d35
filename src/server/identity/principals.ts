import type { Role } from './schema';
import type { KeyBounds } from './scope';

/** The API key that a request came with, and what it may do. */
export interface KeyPrincipal extends KeyBounds {
  id: number;
  name: string;
}

/** A person who is signed in. */
export interface PersonPrincipal {
  userId: number;
  email: string;
  name: string;
  role: Role;
  locale: string;
  sessionId: string;
  /** A second factor is required of this person and not set up yet: until then only that may be done. */
  mustSetUpTwoFactor: boolean;
  /** The person has signed in or confirmed with the password (and code) within the last ten minutes. */
  confirmed: boolean;
}

/** The person whom a bearer token stands for. */
export interface BearerPrincipal {
  id: number;
  name: string;
  email: string;
  role: Role;
  locale: string;
  createdAt: Date;
  updatedAt: Date;
}
