import type { TFunction } from 'i18next';
import type { TaskName } from './tasks.ts';

/** A part of a step; `isControl`: the text of a button, field or heading of a screen. */
interface StepPart {
  text: string;
  isControl: boolean;
}

const CONTROL = /<b>(.*?)<\/b>/;

const stepTexts = (t: TFunction, task: TaskName): string[] =>
  Object.values<string>(t(`guide.tasks.${task}.steps`, { returnObjects: true }));

/** The steps of a task, each in its parts: what stands between <b> and </b> is a text of the screens. */
export const stepsOf = (t: TFunction, task: TaskName): StepPart[][] =>
  stepTexts(t, task).map((step) =>
    step
      .split(CONTROL)
      .map((text, index) => ({ text, isControl: index % 2 === 1 }))
      .filter(({ text }) => text !== ''),
  );

/** The same as plain texts, to be searched. */
export const plainSteps = (t: TFunction, task: TaskName): string[] =>
  stepsOf(t, task).map((parts) => parts.map(({ text }) => text).join(''));
