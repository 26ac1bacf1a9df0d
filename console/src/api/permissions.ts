import { permissionRoutes } from '@apotheca/contract/permissions';
import { api, mutationFor } from './client.ts';

const permissionsApi = api.injectEndpoints({
  endpoints: (build) => ({
    syncPermissions: build.mutation(mutationFor(permissionRoutes.sync)),
  }),
});

export const { useSyncPermissionsMutation } = permissionsApi;
