/** Leaves the console for a page elsewhere. */
export const leaveFor = (url: string): void => window.location.assign(url);
