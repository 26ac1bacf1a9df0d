export function ensureNewestPostgresClient(): string;
