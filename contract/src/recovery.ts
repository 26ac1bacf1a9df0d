import { z } from 'zod';
import { forgotPasswordForm, newPasswordOf, password, recoverPasswordForm } from './auth.ts';
import { whenValid } from './fields.ts';
import { route } from './route.ts';

/** How many minutes a link to choose a new password is valid (DECISIONS §13). */
export const LINK_MINUTES = 30;

const matching = z.superRefine<{ password: string; confirmPassword: string }>(
  (form, context) => {
    if (form.password === form.confirmPassword) return;
    context.addIssue({ code: 'custom', path: ['confirmPassword'], message: 'Passwords must match' });
  },
  whenValid({ password, confirmPassword: z.string().min(1) }),
);

/** The form for a new password where there is a link for it. Without one it compares nothing (SPEC §5). */
export const newPasswordForm = (min: number) => recoverPasswordForm.check(newPasswordOf(min), matching);

export const recoveryRoutes = {
  request: route({
    feature: 'auth',
    summary: 'Ask for a mail with a link to choose a new password; the answer is the same for every address',
    base: 'identity',
    method: 'POST',
    path: '/auth/forgot-password',
    permission: 'public',
    errors: ['no-route', 'too-many'],
    body: forgotPasswordForm,
    result: z.null(),
  }),
  recover: route({
    feature: 'auth',
    summary: 'Choose a new password with the token of a link, which works once',
    base: 'identity',
    method: 'POST',
    path: '/auth/recover-password',
    permission: 'public',
    errors: ['no-route', 'link-ended', 'too-many'],
    body: z
      .object({
        token: z.string({ error: 'token is required' }).min(1, 'token is required').max(200),
        ...recoverPasswordForm.shape,
      })
      .check(matching),
    result: z.null(),
  }),
};
