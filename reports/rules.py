"""The rules by which a proof at every size is made, in a sentence each, as a reader of the report needs them."""

RULES = {
    "discharge": "the solver finds no values that satisfy the hypotheses and the conclusions of what is used, but "
    "not the goal. Sizes are arbitrary natural numbers there, so that one answer covers them all",
    "induction": "the claim is discharged at size 0 of one parameter, and at size k + 1 from the same claim at "
    "size k, which may be used at other values only of what the induction generalizes over and of what depends on "
    "its parameter",
    "use": "an earlier theorem holds at the values it is used at once these are shown to have the types of its "
    "parameters and to satisfy its hypotheses; an induction hypothesis also has to be about size k",
    "admit": "a lemma is taken to be true without a proof, and every theorem above it says so",
}
