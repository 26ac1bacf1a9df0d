import type { Random } from './random.ts';
import { CITIES, FEMALE_NAMES, LAST_NAMES, MALE_NAMES, STREETS } from './words.ts';

/** A person with a name, a sex and contact data. Telephone numbers 555-01xx are reserved for fiction. */
export function createPerson(random: Random) {
  const sex = random.pick(['female', 'male']);
  const { city, state, postalPrefix, areaCode } = random.pick(CITIES);
  return {
    first_name: random.pick(sex === 'female' ? FEMALE_NAMES : MALE_NAMES),
    last_name: random.pick(LAST_NAMES),
    sex,
    phone: `${areaCode}-555-01${random.digits(2)}`,
    address_line: `${random.integer(1, 980)} ${random.pick(STREETS)}`,
    city,
    state,
    postal_code: `${postalPrefix}${random.digits(2)}`,
  };
}
