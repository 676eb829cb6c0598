"""Where the Lean theorems stand."""

NAMESPACE = "Proofs.Autograd.Algebra.Graph"
SEED = "TorchLean, Dense Backward Pass: Appending One Lowered Node"
LINK = "TorchLean, NN/Proofs/Autograd/Runtime/Link"
