import { type AdoptionPlan, type SourceServer, sourceServer } from '@apotheca/contract/adoptions';
import { useInspectServerMutation } from '../../../api/adoptions.ts';
import { useZodForm } from '../../../components/form/form.tsx';
import { useFailure } from '../../../forms/use-failure.ts';

/** Inspects a database on a server. */
export function useServerInspection(onInspected: (plan: AdoptionPlan) => void) {
  const form = useZodForm(sourceServer, {
    defaultValues: { host: '', port: 5432, database: '', user: '', password: '', tls: 'verify-full' },
    draft: 'server',
  });
  const { failure, fail, clear } = useFailure(form);
  const [inspect, { isLoading }] = useInspectServerMutation();
  async function send(server: SourceServer): Promise<void> {
    clear();
    await inspect(server)
      .unwrap()
      .then(({ result }) => result && onInspected(result), fail);
  }
  return { form, failure, isBusy: isLoading, send };
}
