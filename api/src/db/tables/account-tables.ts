import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { DefaultedTimestamp, Timestamp } from './column-types.ts';

/** Roles, people, and what they sign in with. */
export interface AccountTables {
  roles: Roles;
  permissions: Permissions;
  rolePermissions: RolePermissions;
  users: Users;
  clinicalRoles: ClinicalRoles;
  sessions: Sessions;
  apiKeys: ApiKeys;
  signInAttempts: SignInAttempts;
  passwordLinks: PasswordLinks;
  totpFactors: TotpFactors;
  recoveryCodes: RecoveryCodes;
  passkeys: Passkeys;
  userIdentities: UserIdentities;
  providerSessions: ProviderSessions;
  usedProviderTokens: UsedProviderTokens;
}

interface Roles {
  id: Generated<string>;
  name: string;
  version: Generated<number>;
  requiresSecondFactor: Generated<boolean>;
  createdAt: DefaultedTimestamp;
}

interface Permissions {
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

interface RolePermissions {
  roleId: string;
  permissionId: string;
}

interface Users {
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
  /** Whether it is a service account, which never signs in. */
  isService: Generated<boolean>;
  /** Text of a bigint. */
  spSrxId: GeneratedAlways<string>;
  /** Moves with what the user signs in with, and with the role; triggers do that. */
  credentialsVersion: GeneratedAlways<number>;
  version: Generated<number>;
  deletedAt: Date | null;
  createdBy: string | null;
  updatedBy: string | null;
  deletedBy: string | null;
  createdAt: DefaultedTimestamp;
  updatedAt: DefaultedTimestamp;
}

interface ClinicalRoles {
  id: string;
  roleDescription: string;
  sortOrder: number;
}

interface Sessions {
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
  provedAt: Timestamp | null;
  revokedAt: Timestamp | null;
  revokedReason: string | null;
}

interface ApiKeys {
  id: Generated<string>;
  userId: string;
  name: string;
  publicId: string;
  secretHash: Buffer;
  previousHash: Buffer | null;
  previousUntil: Timestamp | null;
  scopes: string[];
  addresses: string[];
  createdAt: Timestamp;
  createdBy: string | null;
  expiresAt: Timestamp;
  lastUsedAt: Timestamp | null;
  lastUsedAddress: Generated<string>;
  refusedAt: Timestamp | null;
  revokedAt: Timestamp | null;
}

interface UserIdentities {
  issuer: string;
  subject: string;
  userId: string;
  createdAt: Timestamp;
}

interface ProviderSessions {
  sessionId: string;
  issuer: string;
  subject: string;
  sid: string | null;
  /** Encrypted. */
  refreshToken: Buffer | null;
  /** Encrypted. */
  idToken: Buffer;
  checkedAt: Timestamp;
  askingSince: Timestamp | null;
}

interface UsedProviderTokens {
  digest: Buffer;
  expiresAt: Timestamp;
}

interface SignInAttempts {
  subject: string;
  attempts: number;
  blockedUntil: Timestamp;
  updatedAt: Timestamp;
  /** Up to when the audit trail has been told of the delay. */
  toldUntil: Date | null;
}

interface PasswordLinks {
  userId: string;
  tokenHash: Buffer;
  expiresAt: Timestamp;
}

interface TotpFactors {
  userId: string;
  /** Encrypted. */
  secret: Buffer;
  /** Text of a bigint. */
  lastStep: ColumnType<string, number, number>;
  createdAt: Timestamp;
}

interface RecoveryCodes {
  userId: string;
  codeHash: Buffer;
  isUsed: Generated<boolean>;
}

interface Passkeys {
  id: Generated<string>;
  userId: string;
  name: string;
  /** In base64url. */
  credentialId: string;
  publicKey: Buffer;
  transports: string[];
  /** Text of a bigint. */
  counter: ColumnType<string, number, number>;
  challengedAt: DefaultedTimestamp;
  createdAt: Timestamp;
  lastUsedAt: Date | null;
}
