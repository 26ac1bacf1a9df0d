import { vi } from 'vitest';

/** The browser's Web Locks, which jsdom lacks: each name has one holder at a time, and the others queue. */
export function stubLocks(): void {
  const lines = new Map<string, Promise<unknown>>();
  const request = <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const turn = (lines.get(name) ?? Promise.resolve()).then(work, work);
    lines.set(name, turn);
    return turn;
  };
  vi.stubGlobal('navigator', { ...navigatorOf(), locks: { request } });
}

const navigatorOf = () => ({ onLine: navigator.onLine, userAgent: navigator.userAgent });
