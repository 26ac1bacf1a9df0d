/** Whose keys are shown. */
export interface KeyOwner {
  /** Absent: the signed-in user. */
  userId?: string;
  name: string;
  isService: boolean;
}

/** A key that was just issued: the only time that it can be seen. */
export interface ShownKey {
  name: string;
  key: string;
  expiresOnUtc: string;
}
