/** A token this close to its end is refreshed before it is used (SPEC §9). */
export const REFRESH_MARGIN_SECONDS = 300;

/** The session check takes a token this close to its end for expired (SPEC §9). */
export const EXPIRY_MARGIN_SECONDS = 10;

/** How often the session is checked (SPEC §9). */
export const SESSION_CHECK_MS = 5_000;
