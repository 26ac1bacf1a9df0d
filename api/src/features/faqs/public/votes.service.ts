import { createHmac } from 'node:crypto';
import { networkOf } from '../../../address-range.ts';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { utcDay } from '../../../wording.ts';
import type { PublicContent } from './public-content.ts';
import { countVote, deleteVotes } from './votes.repository.ts';

const DAY = 24 * 60 * 60 * 1000;

/**
 * Counts what a reader says of an answer: once a day for each address and question; of IPv6 all addresses of a network count together, as they do at the sign-in. The address is kept as an HMAC, which is another one
 * for each day and question, so that it tells neither who voted nor what else they read.
 * @param faq what the reader sees
 * @throws AppError not-found where they do not see the question
 */
export async function vote(
  context: Context,
  faq: PublicContent,
  { questionId, isHelpful, address }: { questionId: string; isHelpful: boolean; address: string },
): Promise<void> {
  if (!faq.sections.some(({ questions }) => questions.some(({ id }) => id === questionId))) {
    throw new AppError('not-found', { message: 'There is no such question.' });
  }
  const votedAt = context.now();
  const voter = createHmac('sha256', context.keys.voters)
    .update(`${utcDay(votedAt)} ${questionId} ${networkOf(address)}`)
    .digest();
  await countVote(context.platform, { questionId, voter, votedAt, isHelpful });
}

/** Forgets who voted a day ago and earlier. */
export const forgetVoters = ({ platform, now }: Context): Promise<void> =>
  deleteVotes(platform, new Date(now().getTime() - DAY));
