import { readFileSync } from 'node:fs';
import { countWords } from './count.js';

const [file] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');
console.log(`${countWords(text)} words`);
