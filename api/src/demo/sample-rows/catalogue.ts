import { MEDICINES, PACKAGES } from './medicines.ts';
import { createRandom, type Random } from './random.ts';
import type { createVendors } from './vendors.ts';

const MAKERS = ['Harrow Biologics', 'Larkspur Laboratories', 'Meridian Pharma'];
const SECOND_MAKERS = ['Northfield Generics', 'Solway Vaccines'];

export type Catalogue = ReturnType<typeof createCatalogue>;
export type Product = Catalogue['products'][number];
type Vendors = ReturnType<typeof createVendors>;

/** Rows of `units`, `use_units`, `order_units`, `product_masters` and `products`, and the products with all their data. */
export function createCatalogue(seed: number, vendors: Vendors, createdAt: string) {
  const random = createRandom(seed, 'products');
  const packings = Object.values(PACKAGES);
  const unitNames: string[] = [...new Set(packings.map((packing) => packing.unit))];
  const unitId = (name: string) => unitNames.indexOf(name) + 1;

  const units = unitNames.map((name) => {
    const abbreviation = packings.find((packing) => packing.unit === name)?.short;
    return { id: unitId(name), name, abbreviation, is_active: true };
  });
  const useUnits = distinct(packings.map((p) => ({ unit_id: unitId(p.unit), name: p.useUnit, factor: p.useFactor })));
  const orderUnits = distinct(
    packings.map((p) => ({ unit_id: unitId(p.unit), name: p.orderUnit, factor: p.orderFactor })),
  );

  const products = MEDICINES.flatMap((medicine, index) => {
    const { unit, useUnit, useFactor, orderUnit, orderFactor } = PACKAGES[medicine.packing];
    const unit_id = unitId(unit);
    // Every other substance is bought from two makers.
    return Array.from({ length: 1 + (index % 2) }, (_, variant) => ({
      product_master_id: index + 1,
      ndc: createNdc(random, index, variant),
      name: `${medicine.name}, ${medicine.strength} ${medicine.form}`,
      manufacturer: random.pick(variant === 0 ? MAKERS : SECOND_MAKERS),
      unit_id,
      use_unit_id: idOf(useUnits, { unit_id, name: useUnit, factor: useFactor }),
      order_unit_id: idOf(orderUnits, { unit_id, name: orderUnit, factor: orderFactor }),
      vendor: random.pick(vendors),
      medicine,
      usePerOrderUnit: useFactor * orderFactor,
      price: Math.round(medicine.price * (100 + random.integer(-8, 8))) / 100,
    }));
  }).map((product, index) => ({ id: index + 1, ...product }));

  const productMasters = MEDICINES.map((medicine, index) => ({
    id: index + 1,
    name: medicine.name,
    kind: medicine.kind,
    form: medicine.form,
    strength: medicine.strength,
    route: medicine.route,
    cvx_code: medicine.cvxCode,
    controlled_schedule: medicine.schedule,
    storage: medicine.storage,
    is_active: true,
  }));

  const productRows = products.map(({ vendor, medicine, usePerOrderUnit, ...row }) => ({
    ...row,
    default_vendor_id: vendor.id,
    is_active: true,
    created_at: createdAt,
    updated_at: createdAt,
  }));

  return { units, useUnits, orderUnits, productMasters, products, productRows };
}

interface Measure {
  unit_id: number;
  name: string;
  factor: number;
}

function distinct(measures: readonly Measure[]) {
  const byKey = new Map(measures.map((measure) => [JSON.stringify(measure), measure]));
  return [...byKey.values()].map((measure, index) => ({ id: index + 1, ...measure, is_active: true }));
}

function idOf(measures: ReturnType<typeof distinct>, { unit_id, name, factor }: Measure): number | undefined {
  return measures.find((each) => each.unit_id === unit_id && each.name === name && each.factor === factor)?.id;
}

/** A National Drug Code in 5-4-2 form. It belongs to no product: no labeller has a code from 99900 on. */
function createNdc(random: Random, medicineIndex: number, variant: number): string {
  const product = String(1000 + medicineIndex * 10 + variant);
  return `999${String(10 + variant)}-${product}-${random.digits(2)}`;
}
