import { z } from 'zod';
import { byId, changedRecord, tooLong } from './fields.ts';
import { route } from './route.ts';
import { id, printableName, requiredText } from './text.ts';

/** The lists that have saved views. */
export const VIEW_LISTS = ['tenants', 'databases', 'users'] as const;
export type ViewList = (typeof VIEW_LISTS)[number];

export const VIEW_LIMITS = { name: 60, query: 2_000, perList: 50 } as const;

const list = z.enum(VIEW_LISTS, { error: 'This list has no views' });
const fields = {
  name: printableName(VIEW_LIMITS.name, 'Name', 'Name is required'),
  /** The list's address parameters: its order, filters and text. */
  query: requiredText(VIEW_LIMITS.query, 'Filter or sort the list', tooLong('The view', VIEW_LIMITS.query)),
  /** The role that it is shared with; null: with none. */
  roleId: id('This role is unknown')
    .nullish()
    .transform((value) => value ?? null),
};

/** What is absent stays as it is: another tab may have changed it. */
const changes = {
  name: fields.name.optional(),
  query: fields.query.optional(),
  roleId: id('This role is unknown').nullable().optional(),
};

export const viewForm = z.object({ name: fields.name });

/** A view of a list: its address parameters under a name. */
export const view = z.object({
  id: z.string(),
  list,
  name: z.string(),
  query: z.string(),
  roleId: z.string().nullable(),
  /** Whether the caller has saved it; the others are shared with the caller's role. */
  isOwn: z.boolean(),
});
export type View = z.infer<typeof view>;

export const viewRoutes = {
  list: route({
    feature: 'account',
    summary: "The views of a list: one's own, and those that are shared with one's role",
    base: 'api',
    method: 'GET',
    path: '/views/get',
    permission: 'signed-in',
    query: z.object({ list }),
    result: z.array(view),
  }),
  create: route({
    feature: 'account',
    summary: 'Save a view of a list; sharing it with a role needs the permission to change roles',
    base: 'api',
    method: 'POST',
    path: '/views/create',
    permission: 'signed-in',
    keyed: true,
    body: z.object({ list, ...fields }),
    result: changedRecord,
  }),
  edit: route({
    feature: 'account',
    summary: "Change a view of one's own: its name, what it shows, the role that it is shared with",
    base: 'api',
    method: 'PUT',
    path: '/views/edit',
    permission: 'signed-in',
    body: z.object({ id: id(), ...changes }),
    result: changedRecord,
  }),
  delete: route({
    feature: 'account',
    summary: "Delete a view of one's own; one that somebody else has shared needs the permission to change roles",
    base: 'api',
    method: 'DELETE',
    path: '/views/delete',
    permission: 'signed-in',
    query: byId,
    result: changedRecord,
  }),
};
