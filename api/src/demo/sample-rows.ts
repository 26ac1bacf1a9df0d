import type { TenantTableName } from '@apotheca/contract/tenant-tables';
import type pg from 'pg';
import * as athena from './sample-rows/athena-orders.ts';
import { shotExtensionRows, shotRows, transactionRows, type Use } from './sample-rows/care.ts';
import { createCatalogue } from './sample-rows/catalogue.ts';
import { athenaPatientRows, athenaPersonRows, createCharts } from './sample-rows/chart.ts';
import { Counting } from './sample-rows/counting.ts';
import { addDays, momentOn } from './sample-rows/dates.ts';
import { insertRows, type Row } from './sample-rows/insert-rows.ts';
import { createPatients, HISTORY_DAYS } from './sample-rows/patients.ts';
import { type Clinic, createPractice, customFieldRows, otpRows } from './sample-rows/practice.ts';
import { barcodeRows, orderingProductRows, warningRows } from './sample-rows/product-details.ts';
import { orderStatusRows, purchasingRows, reorderLevelRows } from './sample-rows/purchasing.ts';
import { transactionLogRows, webServiceLogRows } from './sample-rows/request-logs.ts';
import { Stockroom } from './sample-rows/stockroom.ts';
import { createVendors, vendorRows } from './sample-rows/vendors.ts';
import { planVisits, type Visit } from './sample-rows/visits.ts';

/** The last day of the sample practice, unless another one is given. */
const REFERENCE_DATE = '2026-01-31';
const PATIENTS_PER_CLINIC = 400;
const MOST_CLINICS = 12;

/**
 * Fills a tenant's empty tables with a believable practice: two years of visits, with their stock, orders and charts. The same
 * options give the same rows. There is nothing after `today` (an ISO date).
 * @returns how many rows were inserted
 */
export async function insertSampleRows(
  client: pg.Client | pg.PoolClient,
  options: { patients: number; seed: number; today?: string },
): Promise<number> {
  let inserted = 0;
  for (const [table, rows] of sampleTables({ today: REFERENCE_DATE, ...options })) {
    inserted += await insertRows(client, table, rows);
  }
  return inserted;
}

interface SampleOptions {
  patients: number;
  seed: number;
  today: string;
}

type SampleTable = [TenantTableName, Iterable<Row>];

/** All tables, each after those that it refers to. */
function sampleTables(options: SampleOptions): SampleTable[] {
  const history = createHistory(options);
  return [
    ...practiceTables(history),
    ...catalogueTables(history),
    ...stockTables(history),
    ...athenaTables(history),
    ...careTables(history),
  ];
}

type History = ReturnType<typeof createHistory>;

/** A practice and what happened in it until today; the rows of all tables follow from this. */
function createHistory({ patients: patientCount, seed, today }: SampleOptions) {
  const opened = momentOn(addDays(today, -900), 900);
  const clinicCount = Math.min(MOST_CLINICS, 1 + Math.floor(patientCount / PATIENTS_PER_CLINIC));
  const { clinics, locations, users } = createPractice(seed, clinicCount, today);
  const patients = createPatients(seed, patientCount, clinics, today);
  const vendors = createVendors(seed);
  const catalogue = createCatalogue(seed, vendors, opened);
  const visits = planVisits(seed, patients, clinics, catalogue, today);
  const charts = createCharts(patients);
  const orders = athena.planAthenaOrders(visits, charts, today);
  const { stockroom, counting, uses } = playThrough(seed, visits, clinics, today);
  return {
    seed,
    today,
    opened,
    clinics,
    locations,
    users,
    patients,
    vendors,
    catalogue,
    charts,
    orders,
    stockroom,
    counting,
    uses,
  };
}

const practiceTables = ({ seed, today, locations, users, patients }: History): SampleTable[] => [
  ['locations', locations],
  ['users', users],
  ['otps', otpRows(seed, users, today)],
  ['patients', patients],
  ['module_custom_fields', customFieldRows(today)],
];

const catalogueTables = ({ seed, today, opened, catalogue, vendors }: History): SampleTable[] => [
  ['units', catalogue.units],
  ['use_units', catalogue.useUnits],
  ['order_units', catalogue.orderUnits],
  ['vendor_masters', vendorRows(vendors, opened)],
  ['product_masters', catalogue.productMasters],
  ['products', catalogue.productRows],
  ['rx_extension_multiple_barcodes', barcodeRows(catalogue.products, opened)],
  ['item_warning_masters', warningRows(catalogue)],
  ['ordering_product_masters', orderingProductRows(seed, catalogue.products, vendors, today)],
];

function stockTables({ today, opened, stockroom, counting }: History): SampleTable[] {
  const { items, histories, movements } = stockroom.ledger;
  const { purchaseOrders, inventoryOrders } = purchasingRows(stockroom.orders, today);
  return [
    ['order_status_masters', orderStatusRows()],
    ['purchase_orders', purchaseOrders],
    ['inventory_orders', inventoryOrders],
    ['inventory_reorder_levels', reorderLevelRows(stockroom.shelves, opened)],
    ['items', items],
    ['item_histories', histories],
    ['inventory_counts', counting.counts],
    ['inventory_count_histories', counting.lines],
    ['inventory_transactions', movements],
  ];
}

function athenaTables({ seed, today, opened, catalogue, clinics, charts, orders }: History): SampleTable[] {
  const persons = [...athenaPersonRows(seed, charts, today)];
  return [
    ['athena_statuses', athena.athenaStatusRows()],
    ['athena_order_masters', athena.athenaOrderMasterRows(catalogue, opened)],
    ['athena_ndc_whitelists', athena.whitelistRows(seed, catalogue.products, clinics, opened)],
    ['athena_persons', persons],
    ['athena_patients', athenaPatientRows(seed, charts, persons.length, today)],
    ['athena_orders', athena.athenaOrderRows(orders)],
    ['athena_order_originals', athena.athenaOrderOriginalRows(orders)],
    ['athena_overrides', athena.athenaOverrideRows(orders)],
    ['athena_extensions', athena.athenaExtensionRows(seed, orders)],
  ];
}

function careTables({ seed, today, users, clinics, stockroom, uses, orders }: History): SampleTable[] {
  const transactions = [...transactionRows(seed, stockroom.ledger.movements, uses, clinicFinder(clinics))];
  return [
    ['shots', shotRows(seed, uses)],
    ['shot_extensions', shotExtensionRows(seed, uses, today)],
    ['transactions', transactions],
    ['trlogs', transactionLogRows(seed, transactions)],
    ['wslogs', webServiceLogRows(seed, orders, uses, users, today)],
  ];
}

/** Simulates all visits in order, in a stockroom that orders, counts and clears stock meanwhile. */
function playThrough(seed: number, visits: readonly Visit[], clinics: readonly Clinic[], today: string) {
  const stockroom = new Stockroom(seed, visits, addDays(today, -HISTORY_DAYS));
  const counting = new Counting(seed, stockroom, clinics);
  const onMorning = (day: string) => counting.onMorning(day);
  let shots = 0;
  const uses = visits.map((visit): Use => {
    stockroom.goOnTo(visit.date, onMorning);
    const movement = visit.action === 'refused' ? null : stockroom.take(visit);
    return { visit, movement, shotId: visit.action === 'dispensed' ? null : ++shots };
  });
  stockroom.goOnTo(today, onMorning);
  stockroom.quarantineEvery(40);
  return { stockroom, counting, uses };
}

/** Finds the clinic of a storage location. */
function clinicFinder(clinics: readonly Clinic[]): (locationId: number) => Clinic {
  const byLocation = new Map(clinics.flatMap((clinic) => Object.values(clinic.storage).map((id) => [id, clinic])));
  return (locationId) => {
    const clinic = byLocation.get(locationId);
    if (!clinic) throw new RangeError(`Location ${locationId} is no clinic's storage`);
    return clinic;
  };
}
