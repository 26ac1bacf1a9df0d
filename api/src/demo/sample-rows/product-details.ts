import type { Catalogue, Product } from './catalogue.ts';
import { addDays } from './dates.ts';
import { createRandom } from './random.ts';
import type { Vendor } from './vendors.ts';

/** Rows of `rx_extension_multiple_barcodes`, two for each product: the GTINs of the unit and of its package. */
export function* barcodeRows(products: readonly Product[], createdAt: string) {
  for (const { id, ndc } of products) {
    for (const level of ['unit', 'order unit'] as const) {
      const indicator = level === 'unit' ? '0' : '1';
      yield {
        id: id * 2 - (level === 'unit' ? 1 : 0),
        product_id: id,
        barcode: withCheckDigit(`${indicator}03${ndc.replaceAll('-', '').slice(1)}`),
        symbology: level === 'unit' ? 'GS1 DataMatrix' : 'GS1-128',
        package_level: level,
        is_primary: level === 'unit',
        created_at: createdAt,
      };
    }
  }
}

/** Adds the check digit to the first 13 digits of a GTIN-14: with weights 3 and 1 in turn, the sum becomes a multiple of ten. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** Rows of `ordering_product_masters`: each product from its default vendor, every third from another as well. */
export function orderingProductRows(
  seed: number,
  products: readonly Product[],
  vendors: readonly Vendor[],
  today: string,
) {
  const random = createRandom(seed, 'ordering products');
  const offers = products.flatMap((product) => {
    const others = vendors.filter((vendor) => vendor !== product.vendor);
    const sellers = product.id % 3 === 0 ? [product.vendor, random.pick(others)] : [product.vendor];
    return sellers.map((vendor) => ({ product, vendor }));
  });
  return offers.map(({ product, vendor }, index) => ({
    id: index + 1,
    product_id: product.id,
    vendor_master_id: vendor.id,
    order_unit_id: product.order_unit_id,
    vendor_item_number: `${vendor.code}-${String(product.id).padStart(5, '0')}`,
    price: orderUnitPrice(product),
    minimum_order_quantity: random.pick([1, 1, 1, 2]),
    lead_time_days: vendor.leadDays,
    valid_from: addDays(today, -900),
    valid_until: random.chance(0.3) ? addDays(today, random.integer(30, 365)) : null,
    is_active: true,
  }));
}

/** The price of one order unit of a product, in dollars with two decimals. */
export function orderUnitPrice({ price, usePerOrderUnit }: Product): number {
  return Math.round(price * usePerOrderUnit * 80) / 100;
}

const WARNINGS = {
  excursion: { kind: 'storage', severity: 'stop', message: 'A temperature excursion was reported.' },
  expiry: { kind: 'expiry', severity: 'caution', message: 'This lot expires within 30 days.' },
  frozen: { kind: 'storage', severity: 'stop', message: 'Give within 30 minutes of mixing.' },
  controlled: {
    kind: 'interaction',
    severity: 'caution',
    message: 'Controlled substance: check the other prescriptions.',
  },
  pediatric: { kind: 'age', severity: 'stop', message: 'Pediatric strength.' },
  influenza: { kind: 'look-alike', severity: 'information', message: 'Several influenza products are in stock.' },
};

/** Rows of `item_warning_masters`: two for every product, then those of single substances. */
export function warningRows({ productMasters }: Catalogue) {
  const single = productMasters.map((master) => ({ product_master_id: master.id, warning: warningOf(master) }));
  const general = [WARNINGS.excursion, WARNINGS.expiry].map((warning) => ({ product_master_id: null, warning }));
  return [...general, ...single.filter(({ warning }) => warning !== null)].map(
    ({ product_master_id, warning }, index) => ({
      id: index + 1,
      product_master_id,
      code: `W${String(index + 1).padStart(3, '0')}`,
      ...warning,
      is_active: true,
    }),
  );
}

function warningOf({ name, storage, controlled_schedule }: Catalogue['productMasters'][number]) {
  if (storage === 'frozen') return WARNINGS.frozen;
  if (controlled_schedule) return WARNINGS.controlled;
  if (name.includes('pediatric')) return WARNINGS.pediatric;
  if (name.startsWith('Influenza')) return WARNINGS.influenza;
  return null;
}
