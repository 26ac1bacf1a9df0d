/** Whose keys are shown. */
export interface KeyOwner {
  /** Absent: the signed-in user. */
  userId?: string;
  name: string;
  isService: boolean;
}

/** Whether whoever looks makes and rotates these keys: people do that themselves. */
export const issuesKeysOf = ({ userId, isService }: KeyOwner): boolean => userId === undefined || isService;

/** A key that was just issued: the only time that it can be seen. */
export interface ShownKey {
  name: string;
  key: string;
  expiresOnUtc: string;
}
