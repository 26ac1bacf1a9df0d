import type { TaskName } from './tasks.ts';

/** Made by `npm run screenshots` (decision 069). */
const FILES = import.meta.glob<string>('./pictures/*.webp', { query: '?url', import: 'default', eager: true });

export type PicturedTask = Exclude<TaskName, 'lostInstallation'>;

const isPictured = (task: TaskName): task is PicturedTask => task !== 'lostInstallation';

/** The picture of a task in a language, and the key of the text that says what it shows; undefined: it has none. */
export function pictureOf(task: TaskName, language: string) {
  const url = FILES[`./pictures/${task}.${language}.webp`];
  return url !== undefined && isPictured(task) ? { url, text: `guide.tasks.${task}.picture` as const } : undefined;
}
