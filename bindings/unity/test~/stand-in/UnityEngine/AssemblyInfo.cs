// Lets the tests use internal members of the engine.
using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("Kit.Tests")]
