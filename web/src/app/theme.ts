import { t } from '@lingui/core/macro';
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const green: MantineColorsTuple = [
  '#e9f5ee',
  '#cfe8db',
  '#a2d3b9',
  '#74bd97',
  '#5cc98f',
  '#2f9467',
  '#187d51',
  '#0b6b43',
  '#085637',
  '#05402a',
];
const kantuta: MantineColorsTuple = [
  '#fdeeec',
  '#f9d7d3',
  '#f1aca5',
  '#ec938a',
  '#ff8f85',
  '#db4a3f',
  '#d2372c',
  '#c8281e',
  '#a41d15',
  '#7f150f',
];
const sun: MantineColorsTuple = [
  '#fff8e1',
  '#fdedb8',
  '#fae08a',
  '#f7d25a',
  '#f5c531',
  '#f2b705',
  '#cf9a00',
  '#8a6500',
  '#6b4e00',
  '#4a3600',
];
/** Warm greys: paper, lines and quiet text of the light scheme. */
const gray: MantineColorsTuple = [
  '#fbf8f2',
  '#f5f0e6',
  '#ede6d9',
  '#e6dfd2',
  '#d3c9b7',
  '#8f8674',
  '#655f52',
  '#4f4a40',
  '#38342d',
  '#23201b',
];
/** Night: surfaces, lines and text of the dark scheme. */
const dark: MantineColorsTuple = [
  '#e9edf5',
  '#ccd4e2',
  '#a9b4c8',
  '#7f8ca5',
  '#33425e',
  '#25324b',
  '#1b273d',
  '#162033',
  '#0f172a',
  '#0a101f',
];

const bigField = { defaultProps: { size: 'md' } };

// Read while something is rendered: only then the language is known.
const closes = {
  get 'aria-label'() {
    return t`Cerrar`;
  },
};
const closesToast = {
  get 'aria-label'() {
    return t`Cerrar aviso`;
  },
};

/** Our look on Mantine: colours that pass AA on their surfaces, two typefaces, one radius, two shadows. */
export const theme = createTheme({
  colors: { green, kantuta, red: kantuta, sun, yellow: sun, gray, dark },
  primaryColor: 'green',
  primaryShade: { light: 7, dark: 6 },
  white: '#ffffff',
  black: '#14213d',
  fontFamily: "'Figtree Variable', system-ui, sans-serif",
  headings: {
    fontFamily: "'Bricolage Grotesque Variable', 'Figtree Variable', system-ui, sans-serif",
    fontWeight: '700',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: 'clamp(1.75rem, 1.4rem + 1.6vw, 2.5rem)', lineHeight: '1.12' },
      h2: { fontSize: 'clamp(1.375rem, 1.25rem + 0.5vw, 1.625rem)', lineHeight: '1.2' },
      h3: { fontSize: '1.1875rem', lineHeight: '1.3' },
    },
  },
  fontSizes: { xs: '0.8125rem', sm: '0.9375rem', md: '1rem', lg: '1.125rem', xl: '1.25rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '4px', sm: '6px', md: '10px', lg: '10px', xl: '10px' },
  defaultRadius: 'md',
  shadows: {
    xs: '0 1px 2px rgb(20 33 61 / 6%)',
    sm: '0 1px 2px rgb(20 33 61 / 6%), 0 2px 8px rgb(20 33 61 / 5%)',
    md: '0 4px 12px rgb(20 33 61 / 10%), 0 16px 40px rgb(20 33 61 / 12%)',
    lg: '0 4px 12px rgb(20 33 61 / 10%), 0 16px 40px rgb(20 33 61 / 12%)',
    xl: '0 4px 12px rgb(20 33 61 / 10%), 0 16px 40px rgb(20 33 61 / 12%)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Sixteen pixels in every field: smaller text makes phones zoom in on focus.
    TextInput: bigField,
    PasswordInput: bigField,
    NumberInput: bigField,
    Select: bigField,
    NativeSelect: bigField,
    Autocomplete: bigField,
    Textarea: bigField,
    Button: { defaultProps: { size: 'md' } },
    // What a status says is written as everywhere else.
    Badge: { defaultProps: { tt: 'none' } },
    // The minimum target size, 24 px (WCAG 2.5.8).
    Checkbox: { defaultProps: { size: 'md' } },
    Card: { defaultProps: { withBorder: true, padding: 'lg', shadow: 'xs' } },
    Modal: { defaultProps: { centered: true, closeButtonProps: closes } },
    // The page has one banner; a dialog's title bar is none, though both are written <header>.
    ModalHeader: { defaultProps: { role: 'none' } },
    DrawerHeader: { defaultProps: { role: 'none' } },
    Drawer: { defaultProps: { closeButtonProps: closes } },
    Alert: { defaultProps: { variant: 'light' } },
    Anchor: { defaultProps: { underline: 'hover' } },
    Loader: { defaultProps: { type: 'dots' } },
    Notification: { defaultProps: { closeButtonProps: closesToast } },
    // The green of buttons is too near the cards of the dark scheme to say by itself which tab is open (WCAG 1.4.11).
    Tabs: { defaultProps: { color: 'var(--cq-good)' } },
  },
});

/** Alerts, light buttons and subtle ones in the colours of the statuses, so that the same thing has one colour everywhere. */
const softColours = Object.fromEntries(
  Object.entries({ green: 'good', red: 'bad', kantuta: 'bad', yellow: 'wait', sun: 'wait', gray: 'quiet' }).flatMap(
    ([name, tone]) => [
      [`--mantine-color-${name}-light`, `var(--cq-${tone}-soft)`],
      [`--mantine-color-${name}-light-hover`, `color-mix(in srgb, var(--cq-${tone}) 14%, var(--cq-${tone}-soft))`],
      [`--mantine-color-${name}-light-color`, `var(--cq-${tone})`],
    ],
  ),
);

/** Colours with a role of their own; Mantine's "body" is the surface of cards, the page below it is paper or night. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--cq-page': '#fbf8f2',
    '--cq-line': '#e6dfd2',
    // The edge of a field or a box to tick: 3.6 to 1 on a card, 4.8 to 1 in the dark (WCAG 1.4.11 asks for 3).
    '--cq-edge': '#8f8674',
    '--cq-good': '#0b6b43',
    '--cq-good-soft': '#e9f5ee',
    '--cq-wait': '#6b4e00',
    '--cq-wait-soft': '#fff3cc',
    '--cq-bad': '#a41d15',
    '--cq-bad-soft': '#fdeeec',
    '--cq-skeleton': '#efe9dd',
    '--cq-quiet': '#4f4a40',
    '--cq-quiet-soft': '#f5f0e6',
    '--cq-series-1': '#1c4f9c',
    '--cq-series-2': '#7a3fa0',
    '--cq-series-3': '#b3541e',
    '--cq-series-4': '#0f7a86',
    '--cq-series-5': '#a02c63',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-default-border': '#e6dfd2',
    '--mantine-color-dimmed': '#5d574b',
    '--mantine-color-placeholder': '#756d5d',
    '--mantine-color-error': '#b3231a',
    '--mantine-color-anchor': '#0b6b43',
    // What a button that is off says has to be read all the same.
    '--mantine-color-disabled-color': '#5d574b',
    ...softColours,
  },
  dark: {
    '--cq-page': '#0f172a',
    '--cq-line': '#2b3954',
    '--cq-edge': '#7f8ca5',
    '--cq-good': '#6fd6a0',
    '--cq-good-soft': '#12352b',
    '--cq-wait': '#f7d25a',
    '--cq-wait-soft': '#3a3116',
    '--cq-bad': '#ff9d94',
    '--cq-bad-soft': '#43201f',
    '--cq-skeleton': '#25324b',
    '--cq-quiet': '#ccd4e2',
    '--cq-quiet-soft': '#25324b',
    '--cq-series-1': '#8db8f5',
    '--cq-series-2': '#cfa5ee',
    '--cq-series-3': '#f2a66f',
    '--cq-series-4': '#6fd0da',
    '--cq-series-5': '#f08fb8',
    '--mantine-color-body': '#162033',
    '--mantine-color-text': '#e9edf5',
    '--mantine-color-default-border': '#2b3954',
    '--mantine-color-dimmed': '#a9b4c8',
    '--mantine-color-placeholder': '#8f9bb2',
    '--mantine-color-error': '#ff9d94',
    '--mantine-color-anchor': '#6fd6a0',
    '--mantine-color-disabled': '#25324b',
    '--mantine-color-disabled-color': '#a9b4c8',
    ...softColours,
  },
});
