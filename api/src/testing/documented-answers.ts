import { ERRORS } from '@apotheca/contract/errors';
import { refusalsOf } from '@apotheca/contract/refusals';
import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';
import { ROUTES } from '@apotheca/contract/routes';

type Address = Pick<ContractRoute, 'base' | 'method' | 'path'>;

const addressOf = ({ base, method, path }: Address) => `${method} ${BASE_PATHS[base]}${path}`;

const STATUSES = new Map(
  ROUTES.map((route) => [
    addressOf(route),
    new Set([
      200,
      ...(route.operation ? [202] : []),
      ...(route.list || route.tagged ? [304] : []),
      ...refusalsOf(route).map((code) => ERRORS[code].status),
    ]),
  ]),
);

/** Fails the test whose call was answered with a status that the OpenAPI document does not give it. */
export function refuseUndocumented(route: Address, status: number): void {
  const title = addressOf(route);
  if (!STATUSES.get(title)?.has(status)) throw new Error(`${title} was answered ${status}, which is not documented.`);
}
