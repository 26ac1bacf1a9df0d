/** The first administrator of every test's installation. */
export const ADMINISTRATOR = { userName: 'admin', password: 'correct horse' };
