import { sql } from 'kysely';
import type { Platform } from '../../../db/platform.ts';

/** Counts a vote, unless its voter has been counted for the question. A question that is gone has no counts. */
export async function countVote(
  platform: Platform,
  vote: { questionId: string; voter: Buffer; votedAt: Date; isHelpful: boolean },
): Promise<void> {
  const { questionId, voter, votedAt, isHelpful } = vote;
  await sql`
    with question as (select id from faq_questions where id = ${questionId} for key share),
    vote as (
      insert into faq_votes (question_id, voter, voted_at) select id, ${voter}, ${votedAt}::timestamptz from question
      on conflict do nothing
      returning question_id
    )
    insert into faq_helpfulness as present (question_id, helpful, unhelpful)
    select question_id, ${isHelpful ? 1 : 0}::integer, ${isHelpful ? 0 : 1}::integer from vote
    on conflict (question_id) do update
    set helpful = present.helpful + excluded.helpful, unhelpful = present.unhelpful + excluded.unhelpful`.execute(
    platform,
  );
}

/** Forgets who was counted before a moment; the counts stay. */
export async function deleteVotes(platform: Platform, before: Date): Promise<void> {
  await sql`delete from faq_votes where voted_at < ${before}`.execute(platform);
}
