/** Folder of the repository. */
export const root: string;
export const SERVER: string;
export const SERVER_FLAGS: string[];
export function ensureServerBuilt(): void;
/** Ends the command with one clear line where something listens there. */
export function refuseTakenPort(port: string | number, host: string): Promise<void>;
