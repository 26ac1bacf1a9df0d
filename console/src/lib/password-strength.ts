import { zxcvbn, zxcvbnOptions } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

zxcvbnOptions.setOptions({ graphs: adjacencyGraphs, dictionary });

/**
 * How well a password withstands guessing, from 0 (among the first thousand guesses) to 4 (more than ten thousand million). Loads a
 * dictionary: import it only when somebody chooses a password.
 * @param related words that say little about a password that has them, such as the name of its user
 */
export const strengthOf = (password: string, related: readonly string[]): number =>
  zxcvbn(
    password,
    related.filter((word) => word !== ''),
  ).score;
