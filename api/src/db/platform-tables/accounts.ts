import type { Generated, GeneratedAlways } from 'kysely';
import type { DefaultedTimestamp, Timestamp } from './timestamps.ts';

export interface Roles {
  id: Generated<string>;
  name: string;
  createdAt: DefaultedTimestamp;
}

export interface Permissions {
  id: Generated<string>;
  module: string;
  name: string;
  identifier: string;
  sortOrder: Generated<number>;
  isActive: Generated<boolean>;
  isMenu: Generated<boolean>;
  /** Of menus only, which always have one. */
  route: string | null;
  icon: string | null;
  parentPermissionId: string | null;
  isBuiltIn: Generated<boolean>;
  version: Generated<number>;
  createdBy: string | null;
  updatedBy: string | null;
  createdAt: DefaultedTimestamp;
  updatedAt: DefaultedTimestamp;
}

export interface RolePermissions {
  roleId: string;
  permissionId: string;
}

export interface Users {
  id: Generated<string>;
  userName: Generated<string>;
  email: Generated<string>;
  passwordHash: string | null;
  firstName: string;
  lastName: string;
  middleInitial: Generated<string>;
  title: Generated<string>;
  deaNumber: Generated<string>;
  phone: Generated<string>;
  notes: Generated<string>;
  roleId: string;
  clinicalRoleId: string | null;
  isActive: Generated<boolean>;
  /** Text of a bigint. */
  spSrxId: GeneratedAlways<string>;
  version: Generated<number>;
  deletedAt: Date | null;
  createdBy: string | null;
  updatedBy: string | null;
  deletedBy: string | null;
  createdAt: DefaultedTimestamp;
  updatedAt: DefaultedTimestamp;
}

export interface ClinicalRoles {
  id: string;
  roleDescription: string;
  sortOrder: number;
}

export interface Sessions {
  id: string;
  userId: string;
  kind: 'console' | 'api';
  name: Generated<string>;
  refreshTokenHash: Buffer | null;
  accessTokenId: string;
  accessIssuedAt: Timestamp;
  previousAccessTokenId: string | null;
  address: string;
  userAgent: string;
  createdAt: Timestamp;
  lastUsedAt: Timestamp;
  lastSeenAt: Timestamp;
  expiresAt: Timestamp;
  revokedAt: Timestamp | null;
  revokedReason: string | null;
}

export interface SignInAttempts {
  subject: string;
  attempts: number;
  blockedUntil: Timestamp;
  updatedAt: Timestamp;
}
