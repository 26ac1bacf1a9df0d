import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Something that all work of a request can find, such as its budget of time: how it is made, found and entered. */
export interface RequestContext<Value> {
  make(request: FastifyRequest, reply: FastifyReply): Value;
  current(): Value | undefined;
  enter(value: Value, work: () => void): void;
}

/** Runs all work of each request in an asynchronous context of its own. */
export function registerRequestContext<Value>(
  app: FastifyInstance,
  { make, current, enter }: RequestContext<Value>,
): void {
  const values = new WeakMap<FastifyRequest, { value: Value }>();
  app.addHook('onRequest', (request, reply, done) => {
    const value = make(request, reply);
    values.set(request, { value });
    enter(value, done);
  });
  // Entered again where a body came later, which is handled in the asynchronous context of its socket.
  app.addHook('preValidation', (request, _reply, done) => {
    const made = values.get(request);
    if (!made || current() === made.value) done();
    else enter(made.value, done);
  });
}
