import { Anchor, Button, Checkbox, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';

import { type SyntheticEvent, useState } from 'react';
import { z } from 'zod';
import { authEndpoints, occupations, type SessionView } from '#core/contracts/http/auth';
import type { LegalText } from '../../data/legal-texts.ts';
import { focusFirstProblem, showFieldErrors } from '../../lib/form-failure.ts';
import { call, errorMessageOr } from '../../lib/http.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { clearError, clearToasts, toastDone, toastError } from '../../lib/toast.ts';
import { LegalModal } from './legal-modal.tsx';
import { PasswordField } from './password-field.tsx';

const mismatch = 'Las contraseñas no coinciden';
/** What the server asks for, the password twice, and an occupation that may stay unchosen. */
const schema = authEndpoints.register.body
  .extend({
    confirmPassword: z.string(),
    occupation: z.union([z.literal(''), z.enum(occupations)]),
  })
  .refine((values) => values.password === values.confirmPassword, { message: mismatch, path: ['confirmPassword'] });
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

const occupationLabels = {
  estudiante: 'Estudiante',
  empleado: 'Empleado',
  autonomo: 'Autónomo',
  empresario: 'Empresario',
  otro: 'Otro',
} as const satisfies Record<(typeof occupations)[number], string>;
const occupationChoices = [
  { value: '', label: 'Elige una opción' },
  ...occupations.map((value) => ({ value, label: occupationLabels[value] })),
];

const failed = 'No pudimos completar tu registro. Por favor verifica tu información e intenta nuevamente.';

/** A new account. `onEntered` gets the session the server opened for it. */
export function SignupForm({ onEntered }: { onEntered: (session: SessionView) => void }) {
  const form = useSignupForm();
  const signup = useSignup(form, onEntered);
  const accepted = form.values.acceptedTerms;
  const busy = signup.isPending || signup.isSuccess;
  const label = !accepted
    ? 'Debes aceptar los términos para continuar'
    : signup.isPending
      ? 'Creando cuenta...'
      : 'Crear Cuenta';
  return (
    <form noValidate onSubmit={form.onSubmit((values) => signup.mutate(values), sayWhatIsMissing)}>
      <Stack>
        <TextInput
          label="Nombre completo"
          autoComplete="name"
          required
          {...form.getInputProps('name')}
          data-testid="signup-name"
        />
        <TextInput
          label="Correo electrónico"
          type="email"
          autoComplete="email"
          required
          {...form.getInputProps('email')}
          data-testid="signup-email"
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Password form={form} field="password" label="Contraseña" testid="signup-password" />
          <Password form={form} field="confirmPassword" label="Confirmar contraseña" testid="signup-confirm" />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="Teléfono (opcional)"
            type="tel"
            autoComplete="tel"
            {...form.getInputProps('phone')}
            data-testid="signup-phone"
          />
          <TextInput
            label="Ciudad actual (opcional)"
            autoComplete="address-level2"
            {...form.getInputProps('city')}
            data-testid="signup-city"
          />
        </SimpleGrid>
        <NativeSelect
          label="Ocupación"
          data={occupationChoices}
          size="md"
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

function useSignupForm() {
  return useForm<Values>({
    onValuesChange: clearError,
    initialValues: {
      name: '',
      email: '',
      password: '',
      confirmPassword: '',
      phone: '',
      city: '',
      occupation: '',
      acceptedTerms: false,
    },
    validate: schemaResolver(schema, { sync: true }),
  });
}
type SignupFormState = ReturnType<typeof useSignupForm>;

function useSignup(form: SignupFormState, onEntered: (session: SessionView) => void) {
  return useSingleMutation({
    mutationFn: ({ confirmPassword: _typedTwice, occupation, ...values }: Values) =>
      call('register', {
        // Without the box ticked the form is not sent.
        body: { ...values, acceptedTerms: true, ...(occupation !== '' && { occupation }) },
      }),
    onSuccess: (session) => {
      toastDone('¡Cuenta creada exitosamente!', 'Ahora puedes añadir a tu familia y enviar dinero a Bolivia.');
      onEntered(session);
    },
    onError: (error) => {
      showFieldErrors(form, error);
      toastError('Error de registro', errorMessageOr(error, failed));
    },
  });
}

function sayWhatIsMissing(_errors: unknown, values: Values, event: SyntheticEvent<HTMLFormElement> | undefined) {
  focusFirstProblem(event);
  if (!values.name.trim() || !values.email.trim() || !values.password)
    toastError('Campos incompletos', 'Por favor completa al menos nombre, correo y contraseña');
  else if (values.password !== values.confirmPassword)
    toastError(mismatch, 'Por favor asegúrate de que las contraseñas sean iguales');
  else if (!values.acceptedTerms)
    toastError('Términos y condiciones', 'Debes aceptar los términos y condiciones para continuar');
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
  const link = (which: LegalText, label: string) => (
    <Anchor
      component="button"
      type="button"
      fz="inherit"
      onClick={(event) => {
        // The link is inside the checkbox's label: reading the text is not yet accepting it.
        event.preventDefault();
        clearToasts();
        setText(which);
      }}
    >
      {label}
    </Anchor>
  );
  return (
    <>
      <Checkbox
        label={
          <>
            Acepto los {link('terms', 'Términos de Servicio')} y la {link('privacy', 'Política de Privacidad')}
          </>
        }
        {...form.getInputProps('acceptedTerms', { type: 'checkbox' })}
        data-testid="signup-terms"
      />
      <LegalModal text={text} onClose={() => setText(null)} />
    </>
  );
}
