import { expect, it } from 'vitest';
import en from '../../locales/en.json';
import factors from '../../locales/en-factors.json';
import guideInEnglish from '../../locales/en-guide.json';
import pages from '../../locales/en-pages.json';
import guideInSpanish from '../../locales/es-guide.json';
import { TASK_NAMES, TASKS, tasksAt } from './tasks.ts';

/** All code of the console but the guide and tests. */
const SOURCES = Object.entries(
  import.meta.glob<string>(['../../**/*.{ts,tsx}', '!../../**/*.test.*', '!../../testing/**', '!../guide/**'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
)
  .map(([, text]) => text)
  .join('\n');

/** Keys that the code names whole, and patterns of those that it composes, as in `t(`users.columns.${id}`)`. */
const NAMED = new Set(SOURCES.match(/(?<=')[a-zA-Z]+(\.[\w-]+)+(?=')/g));
const COMPOSED = (SOURCES.match(/(?<=`)[a-zA-Z]+\.[^`\n]*\$\{[^`\n]*(?=`)/g) ?? []).map(
  (text) => new RegExp(`^${text.replaceAll(/[.*+?^()|[\]\\]/g, '\\$&').replaceAll(/\$\{.*?\}/g, '[\\w.-]+')}$`),
);
const isShown = (key: string) => NAMED.has(key) || COMPOSED.some((pattern) => pattern.test(key));

type Texts = { [key: string]: string | Texts };
const flat = (texts: Texts, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : flat(value, `${path}${key}.`),
  );
const SCREENS = new Map([en, factors, pages].flatMap((bundle) => flat(bundle)));
const STEPS = [guideInEnglish, guideInSpanish].flatMap(({ guide: { tasks } }) =>
  Object.entries(tasks).flatMap(([task, { steps }]) =>
    Object.values<string>(steps).map((step) => [task, step] as const),
  ),
);
const CONTROLS = STEPS.flatMap(([task, step]) =>
  [...step.matchAll(/<b>(.*?)<\/b>/g)].map(([, text = '']) => [task, text] as const),
);
const REFERENCE = /^\$t\(([\w.-]+)(?:, \{[^{}]*\})?\)$/;

it('every control that the guide names is named by the text of a screen [§2.29]', () => {
  expect(CONTROLS.length).toBeGreaterThan(100);
  expect(CONTROLS.filter(([, text]) => !REFERENCE.test(text))).toEqual([]);
  const keys = [...new Set(CONTROLS.map(([, text]) => REFERENCE.exec(text)?.[1] ?? ''))];
  expect(keys.filter((key) => !SCREENS.has(key))).toEqual([]);
  expect(keys.filter((key) => !isShown(key))).toEqual([]);
  // A key that no screen shows would be found.
  expect(isShown('tenants.manage.nowhere.label')).toBe(false);
});

it('a restore ends with the buttons that can be pressed by then [§2.29]', () => {
  const named = CONTROLS.filter(([task]) => task === 'backUpAndRestore').map(([, text]) => REFERENCE.exec(text)?.[1]);
  expect(named).not.toContain('databases.restore.confirm');
  for (const key of ['confirmNew', 'replacedLabel', 'confirmReplace'])
    expect(named.filter((name) => name === `databases.restore.${key}`)).toHaveLength(2);
});

it('who signs in again, what is closed and what is checked is said as it is [§2.29]', () => {
  const [english, spanish] = [guideInEnglish.guide.tasks, guideInSpanish.guide.tasks];
  expect(english.giveRights.what).toMatch(/gets another role has to sign in again/);
  expect(spanish.giveRights.what).toMatch(/recibe otro rol tiene que volver a iniciar sesión/);
  expect(english.suspendAndExtend.what).toMatch(/If the server is set to close/);
  expect(spanish.suspendAndExtend.what).toMatch(/Si el servidor está configurado para cerrar/);
  expect(english.suspendAndExtend.steps[2]).toMatch(/unless the subscription has ended/);
  expect(spanish.suspendAndExtend.steps[2]).toMatch(/salvo que la suscripción haya terminado/);
  // The word of the button, and of the column.
  expect(spanish.backUpAndRestore.steps[2]).toMatch(/descargar y comprobar/);
});

it('for how long what was replaced is kept is left to the setting, which may be 0 [§2.29]', () => {
  for (const { guide } of [guideInEnglish, guideInSpanish]) {
    const { putBack, backUpAndRestore, moveTenant } = guide.tasks;
    const told = [putBack.what, backUpAndRestore.steps[5], moveTenant.steps[5]];
    expect(told.filter((text) => !/server is set to|configurado en el servidor/.test(text))).toEqual([]);
  }
});

it('no text of a screen stands in a step by itself [§2.29]', () => {
  const outside = STEPS.map(([, step]) => step.replaceAll(/<b>.*?<\/b>/g, ''));
  expect(outside.filter((text) => /\$t\(|[‘’“”"']\w+[‘’“”"']/.test(text))).toEqual([]);
});

it('each reference fills in what the text wants to be told [§2.29]', () => {
  const wanting = CONTROLS.filter(([, text]) => {
    const [, key = ''] = REFERENCE.exec(text) ?? [];
    const values = SCREENS.get(key)?.match(/(?<=\{\{)\w+/g) ?? [];
    return values.some((value) => !text.includes(`"${value}":`));
  });
  expect(wanting).toEqual([]);
});

it('a task has fewer than ten steps, and knows tasks beside it [§2.29]', () => {
  for (const { guide } of [guideInEnglish, guideInSpanish]) {
    const counts = Object.values(guide.tasks).map(({ steps }) => Object.keys(steps).length);
    expect(counts.filter((count) => count < 2 || count > 9)).toEqual([]);
  }
  for (const name of TASK_NAMES) expect(TASKS[name].related).not.toContain(name);
  expect(TASK_NAMES.toSorted()).toEqual(Object.keys(guideInEnglish.guide.tasks).toSorted());
});

it.each([
  ['/tenants', 'createTenant'],
  ['/tenants/CEDARVA', 'rotateLogin'],
  ['/users', 'signInTrouble'],
  ['/database', 'backUpAndRestore'],
  ['/licence', 'suspendAndExtend'],
  ['/permission', 'giveRights'],
  ['/faqs', 'publishFaq'],
  ['/section/A/B/1', 'publishFaq'],
  ['/audit', 'readAudit'],
  ['/profile', 'secondFactor'],
  ['/', 'scheduleBackups'],
])('%s is helped by %s [§2.29]', (pathname, task) => {
  expect(tasksAt(pathname)).toContain(task);
});

it('other screens have no task, and a beginning that only looks alike is none [§2.29]', () => {
  for (const pathname of ['/blank', '/menus', '/usersmanual']) expect(tasksAt(pathname)).toEqual([]);
});
