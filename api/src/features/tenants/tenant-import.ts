import { DEFAULT_TENANT_STATUS, editTenantForm, type TenantFields, tenantForm } from '@apotheca/contract/tenant-form';
import { TENANT_IMPORT_COLUMNS } from '@apotheca/contract/tenant-import';
import type { Cells } from '../../batches/batch-subject.ts';
import { unlessAway } from '../../db/clusters.ts';
import { cellsOf, type ImportSubject, refusalOfIssues, valuesOf } from '../../imports/import-subject.ts';
import { openNameKeys } from '../../name-keys.ts';
import { openDatabaseNames } from '../databases/database-names.ts';
import { settleCreation } from '../databases/database-settling.ts';
import { followTenant } from './access/tenant-access.service.ts';
import { endBefore } from './tenant-bulk.ts';
import { listEmrs, listStatuses, listTimezones } from './tenant-lookups.repository.ts';
import { openSubdomains } from './tenant-subdomains.ts';
import { listTenantsWithName } from './tenants.repository.ts';
import { completeTenant, createTenant, editTenant, ownNameOf, tenantsAsOwner } from './tenants.service.ts';

const COLUMNS = TENANT_IMPORT_COLUMNS;

/** The code as the form has it: in upper case, with single spaces. */
const codeOf = (cells: Cells): string => tenantForm.shape.code.safeParse(cells.code).data ?? cells.code ?? '';

export const tenantImport: ImportSubject = {
  name: 'tenants',
  noun: 'tenant',
  columns: COLUMNS,
  keyOf: codeOf,
  async openReader(context) {
    const { platform } = context;
    const rows = await listTenantsWithName(platform);
    const nameKeyOf = openNameKeys();
    const tenants = new Map(rows.map((row) => [nameKeyOf(row.code), row]));
    const choices = {
      emrId: await listEmrs(platform),
      timezoneId: await listTimezones(platform),
      tenantStatusId: await listStatuses(platform),
    };
    const newStatus = choices.tenantStatusId.find(({ name }) => name === DEFAULT_TENANT_STATUS)?.id;
    const takeName = await openDatabaseNames(context);
    const takeSubdomain = openSubdomains(rows);
    return async (cells) => {
      const { values, refusal } = valuesOf(cells, COLUMNS, choices);
      const there = tenants.get(nameKeyOf(codeOf(cells)));
      const form = there ? editTenantForm : tenantForm;
      const defaults = { tenantStatusId: newStatus, databaseName: cells.code };
      const name = there && { name: ownNameOf(there) };
      const { data, error } = form.safeParse({ ...defaults, ...there, ...name, ...values });
      if (!data || Object.keys(refusal).length > 0)
        return { refusal: { ...(error && refusalOfIssues(error)), ...refusal } };
      const fields = await completeTenant(context, data as TenantFields);
      const id = there?.id ?? fields.code;
      takeName(fields.databaseName, id);
      takeSubdomain({ id, subdomain: fields.subdomain }, there?.subdomain);
      const before = there && { ...there, subscriptionEndDate: endBefore(there, fields.subscriptionEndDate) };
      return {
        ...(before && { before: { cells: cellsOf(before, COLUMNS, choices), version: before.version } }),
        after: cellsOf(fields, COLUMNS, choices),
        async write(inContext, actor) {
          if (!there) return createTenant(inContext, actor, fields);
          await editTenant(inContext, actor, there.id, { ...fields, version: there.version });
          return followTenant(inContext, actor, there.id);
        },
      };
    };
  },
  // A tenant that was half made holds its code and its name. A killed server's CREATE DATABASE may still run.
  async settle(context, cells) {
    const { data: name } = tenantForm.shape.databaseName.safeParse(cells.databaseName ?? cells.code);
    if (name !== undefined) await unlessAway(settleCreation(context, tenantsAsOwner(context), name, { wait: true }));
  },
};
