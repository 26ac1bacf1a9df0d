// The lists that are measured.
import type pg from 'pg';
import { fillFaqs, fillMenus, fillPermissions, fillQuestions, fillTenants, fillUsers } from './rows.ts';

export interface List {
  rows: number;
  /** Fills the control database. @returns the path of the call */
  fill(client: pg.Client, rows: number): Promise<string>;
  /** Where the rows stand in the answer; absent: in `result`. */
  key?: string;
  /** What a write changes: a text column, and the field of the answer that shows it. */
  written: { table: string; column: string; field: string };
}

const filled =
  (fill: (client: pg.Client, rows: number) => Promise<unknown>, path: string): List['fill'] =>
  async (client, rows) => {
    await fill(client, rows);
    return path;
  };

const tenants = {
  fill: filled(fillTenants, '/tenant/get'),
  written: { table: 'tenants', column: 'city', field: 'city' },
};

const databases = {
  fill: filled(fillTenants, '/managedatabase/getalldatabase'),
  written: { table: 'databases', column: 'name', field: 'databaseName' },
};

const users = {
  fill: filled(fillUsers, '/users/get'),
  written: { table: 'users', column: 'phone', field: 'phone' },
};

/** By the name of the measurement. */
export const LISTS = {
  tenants: { ...tenants, rows: 1_000 },
  'tenants-10000': { ...tenants, rows: 10_000 },
  databases: { ...databases, rows: 1_000 },
  'databases-10000': { ...databases, rows: 10_000 },
  users: { ...users, rows: 1_000 },
  'users-10000': { ...users, rows: 10_000 },
  permissions: {
    rows: 1_000,
    fill: filled(fillPermissions, '/adminpermission/get'),
    key: 'permissions',
    written: { table: 'permissions', column: 'name', field: 'name' },
  },
  menus: {
    rows: 500,
    fill: filled(fillMenus, '/adminpermission/getmenus'),
    written: { table: 'permissions', column: 'name', field: 'name' },
  },
  faqs: {
    rows: 500,
    fill: filled(fillFaqs, '/faq/get'),
    written: { table: 'faqs', column: 'name', field: 'name' },
  },
  'faq-questions': {
    rows: 1_000,
    fill: async (client, rows) => `/faqquestionans/get?sectionId=${(await fillQuestions(client, rows)).sectionId}`,
    written: { table: 'faq_questions', column: 'question', field: 'question' },
  },
} satisfies Record<string, List>;
