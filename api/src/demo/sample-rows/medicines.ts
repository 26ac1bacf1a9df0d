/** How a product is packed: one unit holds `useFactor` use units, and is sold in order units of `orderFactor` units. */
export const PACKAGES = {
  syringe: { unit: 'syringe', short: 'syr', useUnit: 'dose', useFactor: 1, orderUnit: 'box of 10', orderFactor: 10 },
  vial: { unit: 'vial', short: 'vl', useUnit: 'dose', useFactor: 1, orderUnit: 'box of 10', orderFactor: 10 },
  multiDose: { unit: 'vial', short: 'vl', useUnit: 'dose', useFactor: 10, orderUnit: 'single vial', orderFactor: 1 },
  liquid: { unit: 'vial', short: 'vl', useUnit: 'mL', useFactor: 10, orderUnit: 'box of 5', orderFactor: 5 },
  sprayer: { unit: 'sprayer', short: 'spr', useUnit: 'dose', useFactor: 1, orderUnit: 'box of 10', orderFactor: 10 },
  injector: {
    unit: 'auto-injector',
    short: 'inj',
    useUnit: 'dose',
    useFactor: 1,
    orderUnit: 'box of 2',
    orderFactor: 2,
  },
  ampule: { unit: 'ampule', short: 'amp', useUnit: 'dose', useFactor: 1, orderUnit: 'box of 25', orderFactor: 25 },
  bottle: { unit: 'bottle', short: 'btl', useUnit: 'tablet', useFactor: 100, orderUnit: 'case of 6', orderFactor: 6 },
} as const;

type Packing = keyof typeof PACKAGES;
export type Storage = 'room' | 'refrigerated' | 'frozen';
type Audience = 'child' | 'adult' | 'anyone';

interface Medicine {
  kind: 'vaccine' | 'medication';
  name: string;
  form: string;
  strength: string;
  route: string;
  cvxCode: string | null;
  schedule: string | null;
  storage: Storage;
  packing: Packing;
  audience: Audience;
  /** The least and the most use units that one visit takes. */
  taken: [number, number];
  /** Price of one use unit in dollars. */
  price: number;
}

function vaccine(
  name: string,
  cvxCode: string,
  packing: Packing,
  audience: Audience,
  price: number,
  otherwise: Partial<Medicine> = {},
): Medicine {
  const usual = { form: 'suspension', strength: '0.5 mL', route: 'intramuscular', storage: 'refrigerated' } as const;
  return {
    kind: 'vaccine',
    name,
    ...usual,
    cvxCode,
    schedule: null,
    packing,
    audience,
    taken: [1, 1],
    price,
    ...otherwise,
  };
}

function medication(
  name: string,
  form: string,
  strength: string,
  route: string,
  packing: Packing,
  taken: [number, number],
  price: number,
  otherwise: Partial<Medicine> = {},
): Medicine {
  const usual = { cvxCode: null, schedule: null, storage: 'room', audience: 'adult' } as const;
  return { kind: 'medication', name, form, strength, route, ...usual, packing, taken, price, ...otherwise };
}

const POWDER_UNDER_SKIN = { form: 'powder', route: 'subcutaneous' };
const POWDER_KEPT_FROZEN = { ...POWDER_UNDER_SKIN, storage: 'frozen' } as const;
const KEPT_COLD = { storage: 'refrigerated', audience: 'anyone' } as const;

/** The stock of a sample practice by generic names; vaccines have CVX codes, controlled substances schedules. */
export const MEDICINES: Medicine[] = [
  vaccine('Influenza vaccine, quadrivalent', '150', 'syringe', 'anyone', 21.4),
  vaccine('Influenza vaccine, quadrivalent, multi-dose', '158', 'multiDose', 'anyone', 18.2),
  vaccine('Influenza vaccine, live', '149', 'sprayer', 'child', 26.9, {
    form: 'spray',
    route: 'intranasal',
    strength: '0.2 mL',
  }),
  vaccine('Tetanus, diphtheria and pertussis vaccine', '115', 'syringe', 'adult', 46.3),
  vaccine('Diphtheria, tetanus and pertussis vaccine, pediatric', '20', 'vial', 'child', 33.7),
  vaccine('Tetanus and diphtheria vaccine', '113', 'vial', 'adult', 29.5),
  vaccine('Measles, mumps and rubella vaccine', '03', 'vial', 'anyone', 92.1, POWDER_UNDER_SKIN),
  vaccine('Varicella vaccine', '21', 'vial', 'child', 158.6, POWDER_KEPT_FROZEN),
  vaccine('Measles, mumps, rubella and varicella vaccine', '94', 'vial', 'child', 254.2, POWDER_KEPT_FROZEN),
  vaccine('Zoster vaccine, recombinant', '187', 'vial', 'adult', 171.6, { form: 'powder' }),
  vaccine('Hepatitis A vaccine, adult', '52', 'syringe', 'adult', 77.8, { strength: '1 mL' }),
  vaccine('Hepatitis A vaccine, pediatric', '83', 'syringe', 'child', 36.4),
  vaccine('Hepatitis B vaccine, adult', '43', 'vial', 'adult', 64.9, { strength: '1 mL' }),
  vaccine('Hepatitis B vaccine, pediatric', '08', 'vial', 'child', 27.3),
  vaccine('Human papillomavirus vaccine, 9-valent', '165', 'syringe', 'anyone', 268),
  vaccine('Pneumococcal conjugate vaccine, 20-valent', '216', 'syringe', 'adult', 249.5),
  vaccine('Pneumococcal polysaccharide vaccine, 23-valent', '33', 'syringe', 'adult', 117.1, { form: 'solution' }),
  vaccine('Meningococcal conjugate vaccine, ACWY', '203', 'vial', 'child', 149, { form: 'solution' }),
  vaccine('Poliovirus vaccine, inactivated', '10', 'multiDose', 'child', 39.8),
  vaccine('Typhoid Vi polysaccharide vaccine', '101', 'syringe', 'adult', 121.2, { form: 'solution' }),
  vaccine('Rabies vaccine', '18', 'vial', 'anyone', 362.5, { form: 'powder', strength: '1 mL' }),
  vaccine('Japanese encephalitis vaccine', '134', 'syringe', 'adult', 331),

  medication('Tuberculin', 'solution', '5 units per 0.1 mL', 'intradermal', 'multiDose', [1, 1], 9.8, KEPT_COLD),
  medication('Ceftriaxone', 'powder', '1 g', 'intramuscular', 'vial', [1, 1], 6.2),
  medication('Ketorolac', 'solution', '30 mg/mL', 'intramuscular', 'liquid', [1, 2], 2.1),
  medication('Lidocaine', 'solution', '1 %', 'subcutaneous', 'liquid', [1, 4], 0.6),
  medication('Dexamethasone', 'solution', '4 mg/mL', 'intramuscular', 'liquid', [1, 2], 1.9),
  medication('Cyanocobalamin', 'solution', '1000 mcg/mL', 'intramuscular', 'liquid', [1, 1], 3.4),
  medication('Medroxyprogesterone', 'suspension', '150 mg/mL', 'intramuscular', 'syringe', [1, 1], 38.5),
  medication('Methylprednisolone', 'suspension', '40 mg/mL', 'intramuscular', 'liquid', [1, 2], 5.7),
  medication('Epinephrine', 'solution', '0.3 mg', 'intramuscular', 'injector', [1, 1], 142),
  medication('Albuterol', 'solution', '2.5 mg per 3 mL', 'inhalation', 'ampule', [1, 2], 0.9, { audience: 'anyone' }),
  medication('Diphenhydramine', 'solution', '50 mg/mL', 'intramuscular', 'liquid', [1, 1], 1.4),
  medication('Testosterone cypionate', 'solution', '200 mg/mL', 'intramuscular', 'liquid', [1, 2], 11.3, {
    schedule: 'III',
  }),
  medication('Midazolam', 'solution', '5 mg/mL', 'intravenous', 'liquid', [1, 2], 2.8, { schedule: 'IV' }),
  medication('Morphine', 'solution', '10 mg/mL', 'intravenous', 'liquid', [1, 1], 4.1, { schedule: 'II' }),
  medication('Ondansetron', 'tablet', '4 mg', 'oral', 'bottle', [6, 12], 0.4),
  medication('Ibuprofen', 'tablet', '400 mg', 'oral', 'bottle', [12, 30], 0.1),
  medication('Azithromycin', 'tablet', '250 mg', 'oral', 'bottle', [6, 6], 1.2),
  medication('Acetaminophen with codeine', 'tablet', '300 mg and 30 mg', 'oral', 'bottle', [6, 12], 0.7, {
    schedule: 'III',
  }),
];
