export function ensurePgBouncer(): string;
