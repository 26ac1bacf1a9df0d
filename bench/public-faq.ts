import type { Installation } from './installation.ts';
import { cpuOf, type Effort, measureRounds, VARIANTS } from './list-load.ts';
import { startServer } from './processes.ts';
import { fillQuestions, withClient } from './rows.ts';
import { fetchAnswer, startBuffer } from './sides.ts';
import { type Comparison, compare, type Table } from './tables.ts';

const QUESTIONS = 300;
const EFFORT: Effort = { rounds: 7, answers: 1_000, most: 12_000 };
/** Of the answers a second of a ready buffer. */
const TARGET = { atLeast: 0.6 };

/** The public page of an FAQ of 300 questions beside a buffer with the same bytes: as it is, not sent again, and compressed. */
export async function benchPublicFaq(installation: Installation): Promise<Table[]> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const { environment } = installation;
    const { faqId } = await withClient(environment.DATABASE_URL, (client) => fillQuestions(client, QUESTIONS));
    const server = await startServer({ ...environment, APOTHECA_PUBLIC_FAQ: 'on' });
    stops.push(server.stop);
    const ours = { name: 'Apotheca', process: server, request: { url: `${server.url}/public/faqs/${faqId}` } };
    const { body } = await fetchAnswer(ours.request);
    const sides = { ours, buffer: await startBuffer(body, stops) };
    const rates: Comparison[] = [];
    const costs: Comparison[] = [];
    for (const { name, headersFor } of [VARIANTS.unchanged, VARIANTS.known, VARIANTS.encoded]) {
      const { ours = [], buffer = [] } = await measureRounds(
        installation,
        sides,
        { sides: ['ours', 'buffer'], headersFor },
        EFFORT,
      );
      const rateOf = ({ answersPerSecond }: (typeof ours)[number]) => answersPerSecond;
      const target = name === VARIANTS.unchanged.name ? { target: TARGET } : {};
      rates.push({ name, unit: '/s', ours: ours.map(rateOf), floor: buffer.map(rateOf), ...target });
      costs.push({ name, unit: ' ms', ours: ours.map(cpuOf), floor: buffer.map(cpuOf) });
    }
    const page = `The public page of ${QUESTIONS} questions, ${(body.length / 1000).toFixed(0)} kB, beside a ready buffer`;
    return [compare(`${page}: answers a second`, rates), compare(`${page}: processor time of an answer`, costs)];
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}
