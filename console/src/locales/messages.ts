type Rewrite = (text: string) => string;

const rewrites: Rewrite[] = [];

/** Adds a way in which messages are shown otherwise than they come. They come later than the sign-in page, which loads this. */
export const rewriteMessages = (rewrite: Rewrite): number => rewrites.push(rewrite);

/**
 * A message of the server, or of a field's rule, as it is shown: in the language that is shown, with moments in the browser's
 * time zone. As it is where no language has words for it, such as what another server answers.
 */
export const messageText = (text: string): string => rewrites.reduce((shown, rewrite) => rewrite(shown), text);
