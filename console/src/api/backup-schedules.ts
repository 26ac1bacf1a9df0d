import { backupScheduleRoutes } from '@apotheca/contract/backup-schedules';
import { api, mutationFor, queryFor, reloadsWhenGone, unlessFailed } from './http/client.ts';

const schedulesApi = api.injectEndpoints({
  endpoints: (build) => ({
    getBackupSchedule: build.query({
      ...queryFor(backupScheduleRoutes.get),
      keepUnusedDataFor: 0,
      ...reloadsWhenGone('Databases'),
      providesTags: ['Backups'],
    }),
    setBackupSchedule: build.mutation({
      ...mutationFor(backupScheduleRoutes.set),
      invalidatesTags: unlessFailed('Backups'),
    }),
    listBackupSchedules: build.query({ ...queryFor(backupScheduleRoutes.list), providesTags: ['Backups'] }),
  }),
});

export const { useGetBackupScheduleQuery, useSetBackupScheduleMutation, useListBackupSchedulesQuery } = schedulesApi;
