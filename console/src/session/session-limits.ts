/** A token with less time left than this is refreshed before it is used (SPEC §9). */
export const REFRESH_MARGIN_SECONDS = 300;

/** The session check treats a token with less time left than this as expired (SPEC §9). */
export const EXPIRY_MARGIN_SECONDS = 10;

/** How often the session is checked (SPEC §9). */
export const SESSION_CHECK_MS = 5_000;
