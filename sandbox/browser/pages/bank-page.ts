import './control.ts';
