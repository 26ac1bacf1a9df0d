/** The first administrator of every test installation. */
export const ADMINISTRATOR = { userName: 'admin', password: 'correct horse' };
