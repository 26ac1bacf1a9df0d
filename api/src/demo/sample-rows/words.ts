/** Words for made-up people and their notes. The cities are invented. */

export const FEMALE_NAMES = [
  ...['Abigail', 'Amara', 'Beatriz', 'Camille', 'Clara', 'Dalia', 'Elena', 'Esther', 'Fatima', 'Grace', 'Hana', 'Ines'],
  ...['Ingrid', 'Jasmine', 'Joan', 'Keiko', 'Laila', 'Leonie', 'Lucia', 'Maeve', 'Marisol', 'Mei', 'Miriam', 'Nadia'],
  ...['Nora', 'Olga', 'Priya', 'Renata', 'Rosa', 'Ruth', 'Saoirse', 'Selma', 'Thandi', 'Valeria', 'Wanda', 'Zoe'],
];

export const MALE_NAMES = [
  ...['Aaron', 'Ahmed', 'Anton', 'Bao', 'Caleb', 'Carlos', 'Daniel', 'Darius', 'Diego', 'Edwin', 'Emeka', 'Felix'],
  ...['Gabriel', 'George', 'Hassan', 'Hugo', 'Isaac', 'Ivan', 'Jamal', 'Jonas', 'Kenji', 'Leon', 'Luis', 'Malik'],
  ...['Mateo', 'Nathan', 'Noel', 'Omar', 'Oscar', 'Pedro', 'Rafael', 'Samuel', 'Stefan', 'Tomas', 'Victor', 'Yusuf'],
];

export const LAST_NAMES = [
  ...['Abbott', 'Adeyemi', 'Alvarez', 'Andersen', 'Banerjee', 'Barrett', 'Bianchi', 'Brandt', 'Calloway'],
  ...['Castillo', 'Chaudhry', 'Cohen', 'Delgado', 'Dubois', 'Eriksen', 'Espinoza', 'Fairchild', 'Ferreira'],
  ...['Fitzgerald', 'Fournier', 'Gallagher', 'Garrison', 'Goldberg', 'Guerrero', 'Haddad', 'Hartmann', 'Hayashi'],
  ...['Herrera', 'Holloway', 'Ibrahim', 'Iwasaki', 'Jankowski', 'Jefferson', 'Kaplan', 'Kowalski', 'Lindqvist'],
  ...['Lombardi', 'Mahoney', 'Mbeki', 'Montoya', 'Nakamura', 'Novak', 'Okafor', 'Oliveira', 'Ortega'],
  ...['Papadakis', 'Pereira', 'Petrov', 'Quinlan', 'Ramirez', 'Rosenthal', 'Sandoval', 'Schneider', 'Silva'],
  ...['Sorensen', 'Takahashi', 'Thornton', 'Underwood', 'Valdez', 'Zielinski'],
];

export const STREETS = [
  ...['Alder Street', 'Birch Lane', 'Cedar Avenue', 'Church Street', 'Dogwood Drive', 'Elm Street', 'Fern Court'],
  ...['Grove Road', 'Hillcrest Avenue', 'Juniper Way', 'Lakeview Drive', 'Linden Street', 'Mill Road', 'Orchard Lane'],
  ...['Park Avenue', 'Prospect Street', 'River Road', 'Spring Street', 'Sycamore Drive', 'Walnut Street'],
];

export const CITIES = [
  { city: 'Ashbourne Mills', state: 'OH', postalPrefix: '440', areaCode: '216' },
  { city: 'Bellwater', state: 'PA', postalPrefix: '191', areaCode: '215' },
  { city: 'Cedar Hollow', state: 'NY', postalPrefix: '120', areaCode: '518' },
  { city: 'East Larkin', state: 'MA', postalPrefix: '018', areaCode: '978' },
  { city: 'Fallow Creek', state: 'VA', postalPrefix: '232', areaCode: '804' },
  { city: 'Harrow Point', state: 'NJ', postalPrefix: '080', areaCode: '609' },
  { city: 'Maple Ferry', state: 'MI', postalPrefix: '481', areaCode: '734' },
  { city: 'New Carrow', state: 'CT', postalPrefix: '061', areaCode: '860' },
  { city: 'Stillbrook', state: 'NC', postalPrefix: '276', areaCode: '919' },
  { city: 'West Tamarack', state: 'GA', postalPrefix: '303', areaCode: '404' },
];

export const INSURANCE_PLANS = [
  'Keystone Choice PPO',
  'Northern Light HMO',
  'State Medicaid',
  'Union Care Plan',
  'Wellpath Silver',
];

export const ALLERGIES = ['penicillin', 'latex', 'egg protein', 'gelatin', 'sulfa drugs', 'neomycin', 'codeine'];

export const WASTE_REASONS = [
  'Dropped while preparing',
  'Drawn up, then declined',
  'Vial cracked',
  'Left out of the refrigerator',
];
