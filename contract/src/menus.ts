import { z } from 'zod';
import { storedPermission } from './permissions.ts';
import { route } from './route.ts';
import { id } from './text.ts';

/** A menu with the menus inside it, each list in its order. */
export const menu = storedPermission.extend({
  get childMenus(): z.ZodArray<typeof menu> {
    return z.array(menu);
  },
});
export type Menu = z.infer<typeof menu>;

export const menuRoutes = {
  tree: route({
    feature: 'menus',
    summary: 'All menus as a tree',
    base: 'api',
    method: 'GET',
    path: '/adminpermission/getmenus',
    permission: 'menus.read',
    result: z.array(menu),
    list: true,
  }),
  treeOfRole: route({
    feature: 'menus',
    summary: 'The active menus that a role may see, as a tree',
    base: 'api',
    method: 'GET',
    path: '/rolepermissions/getmenubyroleid',
    permission: 'menus.read',
    query: z.object({ roleId: id() }),
    result: z.array(menu),
    list: true,
  }),
};
