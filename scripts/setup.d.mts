/** Folder of the repository. */
export const root: string;
export const SERVER: string;
export const SERVER_FLAGS: string[];
export function ensureServerBuilt(): void;
