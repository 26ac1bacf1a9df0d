import { PATHS, ROLES_PATH } from '../navigation/paths.ts';

type ScreenLabel =
  | `menusidebar.label.${'tenants' | 'users' | 'databases' | 'faqs' | 'audit' | 'databaseServers'}`
  | 'roles.title'
  | 'header.user.profile';

interface Screen {
  label: ScreenLabel;
  path: string;
}

const SCREENS = {
  tenants: { label: 'menusidebar.label.tenants', path: PATHS.tenants },
  users: { label: 'menusidebar.label.users', path: PATHS.users },
  databases: { label: 'menusidebar.label.databases', path: PATHS.databases },
  roles: { label: 'roles.title', path: ROLES_PATH },
  faqs: { label: 'menusidebar.label.faqs', path: PATHS.faqs },
  audit: { label: 'menusidebar.label.audit', path: PATHS.audit },
  databaseServers: { label: 'menusidebar.label.databaseServers', path: PATHS.databaseServers },
  profile: { label: 'header.user.profile', path: PATHS.profile },
} as const satisfies Record<string, Screen>;

/** The groups of tasks, in their order. */
export const TOPICS = ['tenants', 'databases', 'people', 'contents', 'installation'] as const;
type Topic = (typeof TOPICS)[number];

/** A task of the guide; its texts stand in `locales/en-guide.json`. */
interface Task {
  topic: Topic;
  /** Where it begins; absent: not in the console. */
  screen?: Screen;
  /** The beginnings of more addresses on which it helps. */
  alsoAt?: readonly string[];
  related: readonly TaskName[];
}

export type TaskName = keyof typeof import('../../locales/en-guide.json')['guide']['tasks'];

/** Every task, in the order of the guide. */
export const TASKS: Readonly<Record<TaskName, Task>> = {
  createTenant: { topic: 'tenants', screen: SCREENS.tenants, related: ['importCsv', 'suspendAndExtend'] },
  suspendAndExtend: {
    topic: 'tenants',
    screen: SCREENS.tenants,
    alsoAt: [PATHS.licences],
    related: ['createTenant', 'putBack'],
  },
  rotateLogin: { topic: 'tenants', screen: SCREENS.tenants, related: ['signInTrouble', 'readAudit'] },
  importCsv: {
    topic: 'tenants',
    screen: SCREENS.tenants,
    alsoAt: [PATHS.users, PATHS.faqs],
    related: ['createTenant', 'publishFaq'],
  },
  backUpAndRestore: { topic: 'databases', screen: SCREENS.databases, related: ['scheduleBackups', 'putBack'] },
  scheduleBackups: {
    topic: 'databases',
    screen: SCREENS.databases,
    alsoAt: [PATHS.dashboard],
    related: ['backUpAndRestore', 'beTold'],
  },
  putBack: {
    topic: 'databases',
    screen: SCREENS.databases,
    alsoAt: [PATHS.tenants],
    related: ['backUpAndRestore', 'lostInstallation'],
  },
  signInTrouble: { topic: 'people', screen: SCREENS.users, related: ['secondFactor', 'readAudit'] },
  secondFactor: { topic: 'people', screen: SCREENS.profile, related: ['signInTrouble', 'giveRights'] },
  giveRights: {
    topic: 'people',
    screen: SCREENS.roles,
    alsoAt: [PATHS.permissions, PATHS.users],
    related: ['secondFactor', 'readAudit'],
  },
  publishFaq: {
    topic: 'contents',
    screen: SCREENS.faqs,
    alsoAt: ['/faq', '/section'],
    related: ['importCsv', 'putBack'],
  },
  readAudit: { topic: 'contents', screen: SCREENS.audit, related: ['beTold', 'signInTrouble'] },
  beTold: {
    topic: 'installation',
    screen: SCREENS.profile,
    alsoAt: [PATHS.dashboard, PATHS.audit],
    related: ['scheduleBackups', 'readAudit'],
  },
  addServer: { topic: 'installation', screen: SCREENS.databaseServers, related: ['createTenant', 'moveTenant'] },
  moveTenant: {
    topic: 'installation',
    screen: SCREENS.tenants,
    alsoAt: [PATHS.databaseServers, PATHS.databases],
    related: ['addServer', 'putBack'],
  },
  lostInstallation: { topic: 'installation', related: ['backUpAndRestore', 'scheduleBackups'] },
};

export const TASK_NAMES = Object.keys(TASKS) as TaskName[];

/** The task of an address; undefined: the guide has none of that name. */
export const taskNamed = (name: string): TaskName | undefined => TASK_NAMES.find((task) => task === name);

const isAt = (pathname: string, beginning: string): boolean =>
  pathname === beginning || (beginning !== PATHS.dashboard && pathname.startsWith(`${beginning}/`));

/** The tasks that help on the screen at an address. */
export function tasksAt(pathname: string): TaskName[] {
  return TASK_NAMES.filter((name) => {
    const { screen, alsoAt = [] } = TASKS[name];
    return [...(screen ? [screen.path] : []), ...alsoAt].some((beginning) => isAt(pathname, beginning));
  });
}
