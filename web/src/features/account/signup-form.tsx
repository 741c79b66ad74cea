import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Checkbox, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, type SyntheticEvent, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { z } from 'zod';
import { authEndpoints, occupations, type SessionView } from '#core/contracts/http/auth';
import { keepDraft, keptDraft } from '../../data/drafts.ts';
import { type LegalText, legalTexts } from '../../data/legal-texts.ts';
import { fetchAhead } from '../../lib/fetch-ahead.ts';
import { checkedBy, focusFirstProblem, showFieldErrors } from '../../lib/form-failure.ts';
import { ApiFailure, call, errorMessageOr } from '../../lib/http.ts';
import { language } from '../../lib/language.ts';
import { destinationOf } from '../../lib/paths.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { clearError, clearToasts, toastDone, toastError } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LegalSections } from '../../ui/legal-sections.tsx';
import { occupationChoices } from './occupations.ts';
import { PasswordField } from './password-fields.tsx';

const mismatch = () => t`Las contraseñas no coinciden`;
/** What the server asks for, the password twice, and an occupation that may stay unchosen. */
const schema = authEndpoints.register.body
  .extend({
    confirmPassword: z.string(),
    occupation: z.union([z.literal(''), z.enum(occupations)]),
  })
  .refine((values) => values.password === values.confirmPassword, { error: mismatch, path: ['confirmPassword'] });
interface Values {
  name: string;
  email: string;
  password: string;
  confirmPassword: string;
  phone: string;
  city: string;
  occupation: '' | (typeof occupations)[number];
  acceptedTerms: boolean;
}

/** A new account. `onEntered` gets the session the server opened for it. */
export function SignupForm({ onEntered }: { onEntered: (session: SessionView) => void }) {
  const form = useSignupForm();
  const signup = useSignup(form, onEntered);
  const [search] = useSearchParams();
  const accepted = form.values.acceptedTerms;
  const busy = signup.isPending || signup.isSuccess;
  const label = !accepted
    ? t`Debes aceptar los términos para continuar`
    : signup.isPending
      ? t`Creando cuenta...`
      : t`Crear Cuenta`;
  return (
    <form
      noValidate
      onFocus={() => fetchAhead(destinationOf(search))}
      onSubmit={form.onSubmit((values) => signup.mutate(values), sayWhatIsMissing)}
    >
      <Stack>
        <TextInput
          label={t`Nombre completo`}
          autoComplete="name"
          required
          {...form.getInputProps('name')}
          data-testid="signup-name"
        />
        <TextInput
          label={t`Correo electrónico`}
          type="email"
          autoComplete="email"
          required
          {...form.getInputProps('email')}
          data-testid="signup-email"
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Password form={form} field="password" label={t`Contraseña`} testid="signup-password" />
          <Password form={form} field="confirmPassword" label={t`Confirmar contraseña`} testid="signup-confirm" />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={t`Teléfono (opcional)`}
            type="tel"
            autoComplete="tel"
            {...form.getInputProps('phone')}
            data-testid="signup-phone"
          />
          <TextInput
            label={t`Ciudad actual (opcional)`}
            autoComplete="address-level2"
            {...form.getInputProps('city')}
            data-testid="signup-city"
          />
        </SimpleGrid>
        <NativeSelect
          label={t`Ocupación`}
          data={occupationChoices()}
          {...form.getInputProps('occupation')}
          data-testid="signup-occupation"
        />
        <TermsBox form={form} />
        <Button type="submit" fullWidth disabled={!accepted || busy} data-testid="signup-submit">
          {label}
        </Button>
      </Stack>
    </form>
  );
}

const draft = 'sign-up';

function useSignupForm() {
  return useForm<Values>({
    onValuesChange: (values) => {
      clearError();
      keepDraft(draft, values);
    },
    initialValues: keptDraft(draft) ?? {
      name: '',
      email: '',
      password: '',
      confirmPassword: '',
      phone: '',
      city: '',
      occupation: '',
      acceptedTerms: false,
    },
    validate: checkedBy(schema),
  });
}
type SignupFormState = ReturnType<typeof useSignupForm>;

function useSignup(form: SignupFormState, onEntered: (session: SessionView) => void) {
  return useSingleMutation({
    mutationFn: ({ confirmPassword: _typedTwice, occupation, ...values }: Values) =>
      call('register', {
        // Without the box ticked the form is not sent.
        body: { ...values, locale: language(), acceptedTerms: true, ...(occupation !== '' && { occupation }) },
      }),
    onSuccess: (session) => {
      toastDone(t`¡Cuenta creada exitosamente!`, t`Ahora puedes añadir a tu familia y enviar dinero a Bolivia.`);
      onEntered(session);
    },
    onError: (error) => {
      if (error instanceof ApiFailure && error.code === 'email_taken') form.setErrors({ email: error.userMessage });
      else showFieldErrors(form, error);
      toastError(
        t`Error de registro`,
        errorMessageOr(
          error,
          t`No pudimos completar tu registro. Por favor verifica tu información e intenta nuevamente.`,
        ),
      );
    },
  });
}

function sayWhatIsMissing(_errors: unknown, values: Values, event: SyntheticEvent<HTMLFormElement> | undefined) {
  focusFirstProblem(event);
  if (!values.name.trim() || !values.email.trim() || !values.password)
    toastError(t`Campos incompletos`, t`Por favor completa al menos nombre, correo y contraseña`);
  else if (values.password !== values.confirmPassword)
    toastError(mismatch(), t`Por favor asegúrate de que las contraseñas sean iguales`);
  else if (!values.acceptedTerms)
    toastError(t`Términos y condiciones`, t`Debes aceptar los términos y condiciones para continuar`);
}

function Password(props: {
  form: SignupFormState;
  field: 'password' | 'confirmPassword';
  label: string;
  testid: string;
}) {
  return (
    <PasswordField
      label={props.label}
      autoComplete="new-password"
      {...props.form.getInputProps(props.field)}
      data-testid={props.testid}
    />
  );
}

function TermsBox({ form }: { form: SignupFormState }) {
  const [text, setText] = useState<LegalText | null>(null);
  return (
    <>
      <Checkbox
        label={
          <Trans>
            Acepto los <TextLink onOpen={() => setText('terms')}>Términos de Servicio</TextLink> y la{' '}
            <TextLink onOpen={() => setText('privacy')}>Política de Privacidad</TextLink>
          </Trans>
        }
        {...form.getInputProps('acceptedTerms', { type: 'checkbox' })}
        data-testid="signup-terms"
      />
      <LegalModal text={text} onClose={() => setText(null)} />
    </>
  );
}

/** Opens a text from inside the checkbox's label: reading it is not yet accepting it. */
function TextLink({ onOpen, children }: { onOpen: () => void; children?: ReactNode }) {
  return (
    <Anchor
      component="button"
      type="button"
      fz="inherit"
      onClick={(event) => {
        event.preventDefault();
        clearToasts();
        onOpen();
      }}
    >
      {children}
    </Anchor>
  );
}

/** The terms or the privacy policy to read before accepting; closed while `text` is null. */
function LegalModal({ text, onClose }: { text: LegalText | null; onClose: () => void }) {
  // The text stays while the closing window fades out.
  const [shown, setShown] = useState<LegalText>('terms');
  useEffect(() => {
    if (text) setShown(text);
  }, [text]);
  const { title, sections } = legalTexts()[shown];
  return (
    <Dialog
      opened={text !== null}
      onClose={onClose}
      title={
        <Text className="cq-big" fz="lg">
          {title}
        </Text>
      }
      size="lg"
    >
      <Stack>
        <Text c="dimmed" fz="sm">
          <Trans>Última actualización: 17 de mayo de 2025</Trans>
        </Text>
        <LegalSections sections={sections} />
        <Button onClick={onClose} data-testid="legal-understood">
          <Trans>Entendido</Trans>
        </Button>
      </Stack>
    </Dialog>
  );
}
