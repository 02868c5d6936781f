// Who may use the seam: the Unity part of the binding, and the tests.
using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("Kit.Unity")]
[assembly: InternalsVisibleTo("Kit.Tests")]
