/** Folder of the repository. */
export const root: string;
export const SERVER: string;
export function ensureServerBuilt(): void;
