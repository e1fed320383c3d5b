/** Before each file: what every compilation ahead of time has, and Template where a program asks for it. */
import { registerCharacterNames } from "../compiler/character-names.js";

registerCharacterNames();
