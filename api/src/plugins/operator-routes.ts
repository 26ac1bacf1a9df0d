import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addressTest } from '../address-range.ts';
import { AppError } from '../errors.ts';
import { callerAddress } from './forwarding.ts';

/** Headers by which a proxy says that it forwards a call (RFC 7239, RFC 9110 §7.6.3). */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/**
 * Restricts a scope's routes to those who run the server. For everybody else they are a 404.
 * @param routes the Fastify scope
 * @param addresses addresses and ranges, such as 10.0.0.0/8
 */
export function restrictToOperators(routes: FastifyInstance, addresses: readonly string[]): void {
  const isAllowed = addressTest(addresses);
  routes.addHook('onRequest', async (request) => {
    if (!isOperator(request, isAllowed)) throw new AppError('no-route');
  });
}

function isOperator(request: FastifyRequest, isAllowed: (address: string) => boolean): boolean {
  const { headers } = request;
  return isAllowed(callerAddress(request)) && FORWARDED.every((name) => headers[name] === undefined);
}
